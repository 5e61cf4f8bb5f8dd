import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

const save = statement<{ params: { userId: string; locale: string } }>(
  `update users set locale = $locale where id = $userId`,
)

/** Changes the language of the pages, mails and pushes of a user (BCP 47). */
export async function changeLocale(tx: Tx, { userId, locale }: { userId: string; locale: string }): Promise<void> {
  await save(tx.db, { userId, locale })
}
