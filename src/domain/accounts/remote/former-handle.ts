/**
 * The end of the domain of an account whose handle now belongs to another account. No such domain exists (RFC 2606), so
 * the account has a handle that nobody else can have.
 */
export const FORMER_HANDLE_DOMAIN = '.invalid'

/** Returns an SQL condition: an account with the alias `a` is remote and has a handle of a real domain. */
export function hasRemoteDomain(a: string): string {
  return `(${a}.domain is not null and ${a}.domain not like '%${FORMER_HANDLE_DOMAIN}')`
}
