import { sql } from 'kysely'
import { applyLoad } from '../measure/apply-load.ts'
import { HTTP } from '../measure/limits.ts'
import type { Row } from '../measure/row.ts'

/** The number of stored trends. */
const TRENDS = 500

/** Measures trending statuses. Copies the latest posts with many favourites, so that they trend until the run ends. */
export function trendingStatuses(): Row {
  return {
    name: 'trending statuses, 20',
    limits: [HTTP],
    async prepare({ db }) {
      await sql`
        with latest as (
          select distinct on (s.account_id) s.account_id, s.content from statuses s join accounts a on a.id = s.account_id
          where a.domain is null and s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
          order by s.account_id, s.id desc limit ${TRENDS}
        ), discoverable as (
          update accounts set discoverable = true where id in (select account_id from latest)
        ), posted as (
          insert into statuses (account_id, uri, url, content, visibility, language)
          select account_id, 'https://bench.test/trends/' || account_id, '', content, 'public', 'en' from latest
          returning id
        ), favourited as (
          insert into status_stats (status_id, favourites_count)
          select id, 10000 + row_number() over (order by id) from posted returning status_id, favourites_count
        ), allowed as (
          insert into settings (name, value) values ('trendable_by_default', 'true')
          on conflict (name) do update set value = excluded.value
        )
        insert into trending_statuses (status_id, score) select status_id, favourites_count from favourited`.execute(db)
      await sql`analyze trending_statuses`.execute(db)
    },
    measure: (stage) =>
      applyLoad(stage, {
        kind: 'requests',
        method: 'GET',
        port: stage.port,
        paths: ['/api/v1/trends/statuses?limit=20'],
        tokens: stage.tokens,
      }),
  }
}
