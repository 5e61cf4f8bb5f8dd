import type { Ctx } from '../domain/context.ts'
import { statement } from '../platform/db/statement.ts'

interface Addressee {
  userId: string
  email: string
  username: string
}

const find = statement<{ params: { accountId: string }; row: Addressee }>(
  `select u.id as "userId", u.email, a.username
   from users u join accounts a on a.id = u.account_id where u.account_id = $accountId`,
)

/** To whom a letter about an account goes; null when nobody of here has it any more. */
export async function findAddressee(ctx: Ctx, { accountId }: { accountId: string }): Promise<Addressee | null> {
  const [person] = await find(ctx.db, { accountId })
  return person ?? null
}
