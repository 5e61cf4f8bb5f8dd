import type { CachedRead, Read } from '../../domain/context.ts'
import { NOTIFICATION_TYPES } from '../../domain/notifications/create/notification-types.ts'
import type { NotificationType } from '../../domain/notifications/create/notification-types.ts'
import type { NotificationSubjectRow } from '../../domain/notifications/read/list-notifications.ts'
import type {
  AccountWarning,
  Notification,
  NotificationFallback,
  RelationshipSeveranceEvent,
} from '../../entities/notifications/notification.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { entity, entityJson } from '../../lib/json/entity-json.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { html } from '../../lib/html/html.ts'
import { statement } from '../../platform/db/statement.ts'
import { renderAccountMap } from '../accounts/render-accounts.ts'
import { renderCollectionMap } from '../collections/render-collections.ts'
import { renderReportMap } from '../reports/render-reports.ts'
import { renderStatusMap } from '../statuses/render-statuses.ts'

export type Known<Row extends NotificationSubjectRow> = Row & { type: NotificationType }

/** Returns whether this version of the program supports the type. A newer version may have created others. */
export function isKnown<Row extends NotificationSubjectRow>(row: Row): row is Known<Row> {
  return Object.hasOwn(NOTIFICATION_TYPES, row.type)
}

/** Returns whether all clients support the type, because it is older than the parameter that lists supported types. */
const isBaseline = (type: NotificationType) => type !== 'added_to_collection' && type !== 'collection_update'

const FALLBACKS: Partial<Record<NotificationType, (name: string) => { title: string; summary: string }>> = {
  added_to_collection: (name) => ({
    title: `${name} added you to a collection`,
    summary: `You are in a collection of ${name} now.`,
  }),
  collection_update: (name) => ({
    title: `${name} changed a collection that you are in`,
    summary: `A collection of ${name} says something else about itself.`,
  }),
}

const selectSeverances = statement<{
  params: { ids: readonly string[] }
  row: {
    id: string
    type: RelationshipSeveranceEvent['type']
    target_name: string
    followers_count: number
    following_count: number
    created_at: Date
    purged: boolean
  }
}>(
  `select e.id, e.type, e.target_name, e.followers_count, e.following_count, e.created_at,
     not exists (select from severed_relationships r where r.severance_id = e.id) as purged
   from relationship_severance_events e where e.id = any($ids::bigint[])`,
)
const selectWarnings = statement<{
  params: { ids: readonly string[] }
  row: {
    id: string
    action: AccountWarning['action']
    text: string
    status_ids: string[] | null
    target_account_id: string
    created_at: Date
    appeal: AccountWarning['appeal']
  }
}>(
  `select w.id, w.action, w.text, w.status_ids, w.target_account_id, w.created_at,
     case when a.id is not null then jsonb_build_object('text', a.text, 'state', a.state) end as appeal
   from account_warnings w left join appeals a on a.warning_id = w.id where w.id = any($ids::bigint[])`,
)

// Clients request an annual report by its year.
const selectYears = statement<{ params: { ids: readonly string[] }; row: { id: string; year: string } }>(
  `select id, year::text from annual_reports where id = any($ids::bigint[])`,
)

/** The fields of notifications and groups that depend on the type. */
export type TypeFields = Pick<Notification, 'report' | 'event' | 'moderation_warning' | 'annual_report' | 'collection'>

/** The subject of a notification: a status, or the one in the fields. */
interface Attachment {
  status: EntityJson<Status> | undefined
  fields: Complete<TypeFields>
}

export interface Attachments {
  /** Returns null if the subject of the notification no longer exists. */
  of(row: Known<NotificationSubjectRow>): Attachment | null
  /** Returns the fallback for clients that do not support the type; undefined if they do or did not request it. */
  fallback(row: Known<NotificationSubjectRow>): NotificationFallback | undefined
}

const NO_FIELDS: Complete<TypeFields> = {
  report: undefined,
  event: undefined,
  moderation_warning: undefined,
  annual_report: undefined,
  collection: undefined,
}

/**
 * Renders the subjects of these notifications with a fixed number of queries. `supported`: the types that the client
 * supports; null if it does not list them.
 */
export async function renderAttachments(
  read: CachedRead,
  {
    rows,
    viewerId,
    supported,
  }: { rows: readonly NotificationSubjectRow[]; viewerId: string; supported: readonly string[] | null },
): Promise<Attachments> {
  const idsOf = (key: Exclude<keyof NotificationSubjectRow, 'type'>) => {
    const ids = new Set<string>()
    for (const { [key]: id } of rows) if (id !== null) ids.add(id)
    return [...ids]
  }
  const unsupported = rows.filter(({ type }) => supported !== null && !supported.includes(type) && type in FALLBACKS)
  const [statuses, collections, reports, events, warnings, annualReports, names] = await Promise.all([
    renderStatusMap(read, { ids: idsOf('status_id'), viewerId }),
    renderCollectionMap(read, { ids: idsOf('collection_id'), viewerId }),
    renderReportMap(read, { ids: idsOf('report_id') }),
    findSeveranceEvents(read, idsOf('severance_id')),
    renderWarnings(read, idsOf('warning_id')),
    findAnnualReports(read, idsOf('annual_report_id')),
    findNames(read, unsupported),
  ])
  return {
    of(row) {
      const { target } = NOTIFICATION_TYPES[row.type]
      if (target === 'nothing') return { status: undefined, fields: NO_FIELDS }
      if (target === 'status') {
        const status = statuses.get(row.status_id ?? '')
        return status === undefined ? null : { status, fields: NO_FIELDS }
      }
      const fields: Complete<TypeFields> = {
        report: target === 'report' ? reports.get(row.report_id ?? '') : undefined,
        event: target === 'severance' ? events.get(row.severance_id ?? '') : undefined,
        moderation_warning: target === 'warning' ? warnings.get(row.warning_id ?? '') : undefined,
        annual_report: target === 'annual report' ? annualReports.get(row.annual_report_id ?? '') : undefined,
        collection: target === 'collection' ? collections.get(row.collection_id ?? '') : undefined,
      }
      return Object.values(fields).some((field) => field !== undefined) ? { status: undefined, fields } : null
    },
    fallback(row) {
      const name = names.get(row.from_account_id)
      if (supported === null || supported.includes(row.type) || isBaseline(row.type) || name === undefined) return
      const texts = FALLBACKS[row.type]?.(name)
      return texts && entity<NotificationFallback>({ ...texts, description: null })
    },
  }
}

const selectNames = statement<{ params: { fromAccountIds: readonly string[] }; row: { id: string; name: string } }>(
  `select id, coalesce(nullif(display_name, ''), username) as name from accounts
    where id = any($fromAccountIds::bigint[])`,
)

/** Returns the names of the accounts that caused these notifications, as HTML. */
async function findNames(read: Read, rows: readonly NotificationSubjectRow[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const found = await selectNames(read.db, { fromAccountIds: rows.map((row) => row.from_account_id) })
  return new Map(found.map(({ id, name }) => [id, html`${name}`.toString()]))
}

async function findSeveranceEvents(
  read: Read,
  ids: readonly string[],
): Promise<Map<string, RelationshipSeveranceEvent>> {
  if (ids.length === 0) return new Map()
  const rows = await selectSeverances(read.db, { ids })
  return new Map(
    rows.map((row) => [
      row.id,
      entity<RelationshipSeveranceEvent>({ ...row, created_at: row.created_at.toISOString() }),
    ]),
  )
}

async function renderWarnings(
  read: CachedRead,
  ids: readonly string[],
): Promise<Map<string, EntityJson<AccountWarning>>> {
  if (ids.length === 0) return new Map()
  const rows = await selectWarnings(read.db, { ids })
  const accounts = await renderAccountMap(read, { ids: rows.map((row) => row.target_account_id) })
  return new Map(
    rows.flatMap((row) => {
      const account = accounts.get(row.target_account_id)
      if (account === undefined) return []
      const warning = entityJson<AccountWarning>({
        id: row.id,
        action: row.action,
        text: row.text,
        status_ids: row.status_ids,
        target_account: account,
        appeal: row.appeal,
        created_at: row.created_at.toISOString(),
      })
      return [[row.id, warning] as const]
    }),
  )
}

async function findAnnualReports(read: Read, ids: readonly string[]): Promise<Map<string, { year: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await selectYears(read.db, { ids })
  return new Map(rows.map(({ id, year }) => [id, { year }]))
}
