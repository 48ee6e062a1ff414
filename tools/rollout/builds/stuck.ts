/** A build whose workflow tasks fail: nothing of what was at rest can begin on it. */
export default async function run(): Promise<never> {
  throw new Error('this build cannot begin');
}
