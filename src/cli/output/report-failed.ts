import type { OutputOptions } from './print-result.ts'

/**
 * Sets the exit code 1 if arguments of a command were invalid, and prints a line for each on standard error; JSON has
 * them already. `expected`: what they are not, such as `a domain`.
 */
export function reportFailed(
  failed: readonly string[],
  { json, expected }: Pick<OutputOptions, 'json'> & { expected: string },
): void {
  if (!json) for (const text of failed) console.error(`"${text}" is not ${expected}`)
  if (failed.length > 0) process.exitCode = 1
}
