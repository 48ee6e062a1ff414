/** How wide help is where there is no terminal. */
const NO_TERMINAL = 120;

/** The width of help, in characters. */
export function helpWidth(): number {
  return process.stdout.columns ?? NO_TERMINAL;
}
