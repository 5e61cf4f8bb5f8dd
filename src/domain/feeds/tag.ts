import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { readTagName } from '../tags/name.ts'
import { HAS_MEDIA, ORIGIN, wantedBy } from './public.ts'
import type { Origin } from './public.ts'
import { pageClause, pageParameters, readPaged } from './page.ts'
import type { PageParameters } from './page.ts'

/** So many hashtags of each kind are looked at. */
const MAX_NAMES = 4

const page = pageClause('st.status_id')

// Which hashtags these are is asked once, and of each status then only its own.
const NEEDED = 'array(select id from tags where name = any($all::text[]))'
const BARRED = 'array(select id from tags where name = any($none::text[]))'

// Each hashtag's page comes from its own index, however often it is used; the common page is cut from these.
function select(origin: Origin, direction: 'descending' | 'ascending') {
  return statement<{
    params: {
      viewerId: string | null
      names: readonly string[]
      all: readonly string[]
      none: readonly string[]
      onlyMedia: boolean
    } & PageParameters
    row: { id: string }
  }>(
    `select found.id from (select id from tags where name = any($names::text[])) tag cross join lateral (
       select st.status_id as id from status_tags st join statuses s on s.id = st.status_id
       where st.tag_id = tag.id and ${page.where}
         and s.visibility = 'public' and s.reblog_of_id is null ${ORIGIN[origin]}
         and not exists (
           select from accounts limited where limited.id = s.account_id and limited.silenced_at is not null)
         and (not $onlyMedia::boolean or ${HAS_MEDIA})
         and ${visibleTo('$viewerId')} and ${wantedBy('$viewerId')}
         and cardinality($all::text[]) = cardinality(${NEEDED})
         and (cardinality($all::text[]) = 0 or cardinality($all::text[]) = (
           select count(*) from status_tags other where other.status_id = st.status_id and other.tag_id = any(${NEEDED})))
         and (cardinality($none::text[]) = 0 or not exists (
           select from status_tags other where other.status_id = st.status_id and other.tag_id = any(${BARRED})))
       ${page[direction]}
     ) found
     group by found.id order by found.id ${direction === 'descending' ? 'desc' : 'asc'} limit $limit`,
  )
}

const statements = {
  all: { descending: select('all', 'descending'), ascending: select('all', 'ascending') },
  local: { descending: select('local', 'descending'), ascending: select('local', 'ascending') },
  remote: { descending: select('remote', 'descending'), ascending: select('remote', 'ascending') },
}

export interface TagTimelineInput {
  viewerId: string | null
  page: Page
  /** The hashtag of the timeline, as it was typed. */
  name: string
  /** Beside statuses with that one, those with any of these. */
  any?: readonly string[]
  /** Only with all of these as well. */
  all?: readonly string[]
  /** Not with any of these. */
  none?: readonly string[]
  origin?: Origin
  onlyMedia?: boolean
}

/** A page of the public statuses with a hashtag, replies included, as this viewer sees them: ids, newest first. */
export async function readTagTimeline(read: Read, input: TagTimelineInput): Promise<string[]> {
  const { descending, ascending } = statements[input.origin ?? 'all']
  const values = {
    viewerId: input.viewerId,
    ...pageParameters(input.page),
    names: namesOf([input.name]).concat(namesOf(input.any)),
    // A name that no hashtag can have is on no status.
    all: [...new Set(chosenOf(input.all).map((typed) => readTagName(typed)?.name ?? ''))],
    none: namesOf(input.none),
    onlyMedia: input.onlyMedia ?? false,
  }
  const rows = await readPaged(input.page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
  return rows.map((row) => row.id)
}

/** What counts of what was sent: a blank says nothing. */
function chosenOf(typed: readonly string[] = []): string[] {
  return typed.filter((one) => one.trim() !== '').slice(0, MAX_NAMES)
}

function namesOf(typed?: readonly string[]): string[] {
  const names = chosenOf(typed).map((one) => readTagName(one)?.name)
  return names.filter((name) => name !== undefined)
}
