import { Forbidden, NotFound } from '../../lib/errors.ts'
import type { Tx } from '../context.ts'
import { noteRegistration } from '../instance/weekly-people.ts'

/**
 * Lets in a local person who waits for approval.
 * @throws NotFound when nobody here has that name · Forbidden when they were approved before
 */
export async function approveAccount(tx: Tx, { username }: { username: string }): Promise<void> {
  const person = await tx.db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .select(['u.id', 'u.approved'])
    .where((eb) => eb(eb.fn('lower', ['a.username']), '=', username.toLowerCase()))
    .where('a.domain', 'is', null)
    .forUpdate('u')
    .executeTakeFirst()
  if (!person) throw new NotFound(`Nobody here is called ${username}`)
  if (person.approved) throw new Forbidden(`${username} has been approved already`)
  await tx.db.updateTable('users').set({ approved: true }).where('id', '=', person.id).execute()
  await noteRegistration(tx, { userId: person.id })
}
