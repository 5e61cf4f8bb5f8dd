import { InvalidArgumentError } from 'commander'
import { canonicalDomain } from '../../lib/usernames.ts'
import { CommandError } from '../command-error.ts'

/** Parses an option or an argument that is a domain, possibly with a port, into its canonical form. */
export function readDomain(text: string): string {
  const domain = canonicalDomain(text, { keepPort: true })
  if (domain === null) throw new InvalidArgumentError('It is not a domain.')
  return domain
}

/** Returns a domain in its canonical form, possibly with a port. @throws CommandError if it is no domain */
export function parseDomain(text: string): string {
  const domain = canonicalDomain(text, { keepPort: true })
  if (domain === null) throw new CommandError(`"${text}" is not a domain`)
  return domain
}
