import { sql } from 'kysely'
import { applyLoad } from '../measure/apply-load.ts'
import { HTTP } from '../measure/limits.ts'
import type { Row } from '../measure/row.ts'

/** The members of each list: accounts that its owner follows. */
const MEMBERS = 50

/** Measures list timelines: one list per account with a feed, filled from that feed. Each owner reads the own list. */
export function listTimeline(): Row {
  let paths: string[] = []
  return {
    name: 'list timeline, 20',
    limits: [HTTP],
    async prepare({ db, accountIds }) {
      await sql`
        insert into lists (account_id, title) select id, 'Fifty' from unnest(${accountIds}::bigint[]) id`.execute(db)
      await sql`
        insert into list_accounts (list_id, account_id, follow_id)
        select l.id, f.target_account_id, f.id from lists l, lateral (
          select id, target_account_id from follows where account_id = l.account_id order by id limit ${MEMBERS}) f`.execute(
        db,
      )
      await sql`
        insert into list_entries (list_id, status_id, original_id)
        select l.id, e.status_id, e.original_id from lists l join feed_entries e on e.account_id = l.account_id
          join statuses s on s.id = e.status_id
          join list_accounts la on la.list_id = l.id and la.account_id = s.account_id
        order by 1, 2`.execute(db)
      await sql`analyze lists, list_accounts, list_entries`.execute(db)
      const { rows } = await sql<{ id: string }>`
        select l.id from unnest(${accountIds}::bigint[]) with ordinality a (id, position)
          join lists l on l.account_id = a.id order by a.position`.execute(db)
      paths = rows.map(({ id }) => `/api/v1/timelines/list/${id}?limit=20`)
    },
    // Tokens are in the order of the accounts, so that each path is requested by its owner.
    measure: (stage) =>
      applyLoad(stage, { kind: 'requests', method: 'GET', port: stage.port, paths, tokens: stage.tokens }),
  }
}
