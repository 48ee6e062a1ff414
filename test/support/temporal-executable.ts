/** TEMP until src/stack is there */
export async function temporalExecutable(): Promise<string> {
  return '/tmp/tb/temporal';
}
