import { InvalidArgumentError } from 'commander'

/** Parses the option `--limit` of a list. */
export function readLimit(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit > 0 && limit <= 10_000) return limit
  throw new InvalidArgumentError('It must be a whole number from 1 to 10000.')
}
