import { InvalidArgumentError } from 'commander'
import { canonicalDomain } from '../../lib/usernames.ts'

/** Parses an option or an argument that is a domain, possibly with a port, into its canonical form. */
export function readDomain(text: string): string {
  const domain = canonicalDomain(text, { keepPort: true })
  if (domain === null) throw new InvalidArgumentError('It is not a domain.')
  return domain
}
