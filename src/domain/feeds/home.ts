import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { blocksDomainOfId } from '../relationships/domain-blocking.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { pageClause, pageValues, readPaged } from './page.ts'

/** Newest entries that a home feed keeps. */
export const FEED_LENGTH = 800

const page = pageClause('f.status_id', 2)

// What the feed was written with may have changed since: blocks, mutes and visibility are asked again when it is read.
const select = (order: string) =>
  statement<{ id: string }>(
    `select f.status_id as id from feed_entries f join statuses s on s.id = f.status_id
     where f.account_id = $1 and ${page.where} and ${visibleTo('$1')} and ${notSilencedBy('$1')} ${order}`,
  )

/** Left out of a person's feed: those whom they block or mute, or whose domain they block, as author or as the one who is boosted. */
export function notSilencedBy(viewer: string): string {
  return `not exists (
    select from (values (s.account_id), ((select o.account_id from statuses o where o.id = s.reblog_of_id))) who (id)
    where who.id <> ${viewer}::bigint and (
      exists (select from blocks b where b.account_id = ${viewer}::bigint and b.target_account_id = who.id)
      or exists (select from mutes m where m.account_id = ${viewer}::bigint and m.target_account_id = who.id
        and (m.expires_at is null or m.expires_at > now()))
      or ${blocksDomainOfId(viewer, 'who.id')}))`
}

const newest = select(page.descending)
const upwards = select(page.ascending)

/** A page of somebody's home feed: ids of statuses, newest first. */
export async function readHomeFeed(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<string[]> {
  const values = [accountId, ...pageValues(asked)]
  const rows = await readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
  return rows.map((row) => row.id)
}
