import { InvalidArgumentError } from 'commander'

/** How many lines a list has, as an option says it. */
export function readLimit(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit > 0 && limit <= 10_000) return limit
  throw new InvalidArgumentError('It must be a whole number from 1 to 10000.')
}
