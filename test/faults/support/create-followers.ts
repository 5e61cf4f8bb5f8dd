import { sql } from 'kysely'
import { createUsers } from '../../servers/create-users.ts'
import type { BuilderCtx } from '../../query-builder.ts'

/** Creates `count` followers of an account, `crowd1`, `crowd2`, … beside the accounts `others`. Returns their names. */
export async function createFollowers(
  { db, config }: Pick<BuilderCtx, 'db' | 'config'>,
  { accountId, count, others = [] }: { accountId: string; count: number; others?: readonly string[] },
): Promise<string[]> {
  const crowd = await createUsers({ db, config }, { prefix: 'crowd', count })
  await sql`
    insert into follows (account_id, target_account_id)
    select id, ${accountId} from unnest(${[...crowd, ...others]}::bigint[]) id`.execute(db)
  await sql`
    update account_stats st set
      followers_count = (select count(*) from follows f where f.target_account_id = st.account_id),
      following_count = (select count(*) from follows f where f.account_id = st.account_id)`.execute(db)
  return crowd.map((_, n) => `crowd${n + 1}`)
}
