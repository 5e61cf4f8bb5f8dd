import { lookupAccount } from '../../domain/accounts/lookup/lookup-account.ts'
import { findLocalAccountId } from '../../domain/account-deletion/delete-account.ts'
import type { Read } from '../../domain/context.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { CommandError } from '../command-error.ts'

/** Returns the id of a known account, local or remote, by its handle. @throws CommandError */
export async function findAccountIdByHandle(read: Read, { handle }: { handle: string }): Promise<string> {
  try {
    return await lookupAccount(read, { handle })
  } catch (err) {
    throw err instanceof NotFoundError ? new CommandError(`No account is named ${handle}`) : err
  }
}

/** Returns the id of a local account by its username, with or without `@` and domain. @throws NotFoundError */
export async function findLocalAccountIdByName(read: Read, { name }: { name: string }): Promise<string> {
  return findLocalAccountId(read, { username: usernameIn(read, { name }) })
}

/** Returns the username in a name with or without `@` and the domain of this server; another name is returned as it is. */
export function usernameIn({ config: { localDomain, webDomain } }: Read, { name }: { name: string }): string {
  const handle = parseHandle(name)
  const isLocal = handle !== null && [null, localDomain, webDomain].includes(handle.domain)
  return isLocal ? handle.username : name
}
