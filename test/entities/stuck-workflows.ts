/** A build whose workflow tasks fail. */
export default async function run(): Promise<never> {
  throw new Error('this build cannot begin');
}
