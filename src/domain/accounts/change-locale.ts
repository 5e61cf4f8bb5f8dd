import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'

const save = statement(`update users set locale = $2 where id = $1`)

/** Changes the language of the pages, mails and pushes of a user (BCP 47). */
export async function changeLocale(tx: Tx, { userId, locale }: { userId: string; locale: string }): Promise<void> {
  await save(tx.db, [userId, locale])
}
