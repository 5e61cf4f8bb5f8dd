import type { Read } from '../domain/context.ts'
import { KINDS } from '../domain/notifications/kinds.ts'
import type { NotificationKind } from '../domain/notifications/kinds.ts'
import type { NotificationRow } from '../domain/notifications/list.ts'
import type { AccountWarning, NotificationFallback, RelationshipSeveranceEvent } from '../entities/notification.ts'
import { html } from '../lib/html.ts'
import { jsonArray, jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { JsonPart } from '../lib/json-parts.ts'
import type { Moment } from '../platform/db/changes.ts'
import { statement } from '../platform/db/connect.ts'
import { renderAccountMap } from './accounts.ts'
import { renderCollectionMap } from './collections.ts'
import { renderReportMap } from './reports.ts'
import { renderStatusParts } from './statuses.ts'

/** What a notification, or a group of them, tells of. */
export type AttachmentFacts = Omit<NotificationRow, 'id' | 'group_key' | 'filtered' | 'created_at'>

export type Known<Facts extends AttachmentFacts> = Facts & { type: NotificationKind }

/** A kind that a newer version wrote is not shown by an older one. */
export function isKnown<Facts extends AttachmentFacts>(row: Facts): row is Known<Facts> {
  return Object.hasOwn(KINDS, row.type)
}

/** Kinds that every client knows: whatever was there before clients could say what they know. */
const isBaseline = (kind: NotificationKind) => kind !== 'added_to_collection' && kind !== 'collection_update'

const FALLBACKS: Partial<Record<NotificationKind, (name: string) => { title: string; summary: string }>> = {
  added_to_collection: (name) => ({
    title: `${name} added you to a collection`,
    summary: `You are in a collection of ${name} now.`,
  }),
  collection_update: (name) => ({
    title: `${name} changed a collection that you are in`,
    summary: `A collection of ${name} says something else about itself.`,
  }),
}

const loadSeverances = statement<{
  id: string
  type: string
  target_name: string
  followers_count: number
  following_count: number
  created_at: Date
}>(
  `select id, type, target_name, followers_count, following_count, created_at from relationship_severances
   where id = any($1::bigint[])`,
)
const loadWarnings = statement<{
  id: string
  action: AccountWarning['action']
  text: string
  status_ids: string[] | null
  target_account_id: string
  created_at: Date
}>(
  `select id, action, text, status_ids, target_account_id, created_at from account_warnings where id = any($1::bigint[])`,
)

// What the year was like is asked for by its number.
const loadYears = statement<{ id: string; year: string }>(
  `select id, year::text from annual_reports where id = any($1::bigint[])`,
)

export interface Attachments {
  /** The thing itself and its key on the wire, which is null where a kind tells of nothing; null: the thing is gone. */
  of(row: Known<AttachmentFacts>): { key: string | null; thing: readonly JsonPart[] } | null
  /** Words to show instead, where they are asked for. */
  fallback(row: Known<AttachmentFacts>): Json<NotificationFallback> | null
}

const NOTHING = { key: null, thing: [] }

/** What these notifications tell of: as many statements however many they are. `supported`: kinds that the client knows; null = it does not say. */
export async function renderAttachments(
  read: Read,
  {
    rows,
    viewerId,
    supported,
    asOf,
  }: {
    rows: readonly AttachmentFacts[]
    viewerId: string
    supported: readonly string[] | null
    asOf: Moment | undefined
  },
): Promise<Attachments> {
  const idsOf = (key: Exclude<keyof AttachmentFacts, 'type'>) => {
    const ids = new Set<string>()
    for (const { [key]: id } of rows) if (id !== null) ids.add(id)
    return [...ids]
  }
  const [statuses, collections, reports, severances, warnings, years, names] = await Promise.all([
    renderStatusParts(read, { ids: idsOf('status_id'), viewerId, asOf }),
    renderCollectionMap(read, { ids: idsOf('collection_id'), viewerId }),
    renderReportMap(read, { ids: idsOf('report_id') }),
    renderSeverances(read, idsOf('severance_id')),
    renderWarnings(read, idsOf('warning_id')),
    renderYears(read, idsOf('annual_report_id')),
    supported === null
      ? null
      : loadNames(
          read,
          rows.filter(({ type }) => !supported.includes(type) && type in FALLBACKS),
        ),
  ])
  type Find = (row: AttachmentFacts) => readonly JsonPart[] | undefined
  const from = (things: ReadonlyMap<string, JsonPart>, id: string | null) => {
    const thing = things.get(id ?? '')
    return thing === undefined ? undefined : [thing]
  }
  const ways: Record<Exclude<(typeof KINDS)[NotificationKind]['attaches'], 'nothing'>, { key: string; find: Find }> = {
    status: { key: 'status', find: (row) => statuses.get(row.status_id ?? '') },
    collection: { key: 'collection', find: (row) => from(collections, row.collection_id) },
    report: { key: 'report', find: (row) => from(reports, row.report_id) },
    severance: { key: 'event', find: (row) => from(severances, row.severance_id) },
    warning: { key: 'moderation_warning', find: (row) => from(warnings, row.warning_id) },
    'annual report': { key: 'annual_report', find: (row) => from(years, row.annual_report_id) },
  }
  return {
    of(row) {
      const { attaches } = KINDS[row.type]
      if (attaches === 'nothing') return NOTHING
      const { key, find } = ways[attaches]
      const thing = find(row)
      return thing === undefined ? null : { key, thing }
    },
    fallback(row) {
      const name = names?.get(row.from_account_id)
      if (supported === null || supported.includes(row.type) || isBaseline(row.type) || name === undefined) return null
      const words = FALLBACKS[row.type]?.(name)
      return words ? toJson({ ...words, description: null }) : null
    },
  }
}

const findNames = statement<{ id: string; name: string }>(
  `select id, coalesce(nullif(display_name, ''), username) as name from accounts where id = any($1::bigint[])`,
)

/** As HTML. */
async function loadNames(read: Read, rows: readonly AttachmentFacts[]): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const found = await findNames(read.db, [rows.map((row) => row.from_account_id)])
  return new Map(found.map(({ id, name }) => [id, html`${name}`.toString()]))
}

async function renderSeverances(
  read: Read,
  ids: readonly string[],
): Promise<Map<string, Json<RelationshipSeveranceEvent>>> {
  if (ids.length === 0) return new Map()
  const rows = await loadSeverances(read.db, [ids])
  return new Map(
    rows.map((row) => [
      row.id,
      // Who they were is not kept.
      toJson({ ...row, purged: true, created_at: row.created_at.toISOString() }) as Json<RelationshipSeveranceEvent>,
    ]),
  )
}

async function renderWarnings(read: Read, ids: readonly string[]): Promise<Map<string, Json<AccountWarning>>> {
  if (ids.length === 0) return new Map()
  const rows = await loadWarnings(read.db, [ids])
  const accounts = await renderAccountMap(read, { ids: rows.map((row) => row.target_account_id) })
  return new Map(
    rows.flatMap(({ target_account_id: targetId, ...row }) => {
      const account = accounts.get(targetId)
      if (account === undefined) return []
      const warning = jsonObject<AccountWarning>({
        id: toJson(row.id),
        action: toJson(row.action),
        text: toJson(row.text),
        status_ids: row.status_ids === null ? toJson(null) : jsonArray(row.status_ids.map((id) => toJson(id))),
        target_account: account,
        appeal: toJson(null),
        created_at: toJson(row.created_at.toISOString()),
      })
      return [[row.id, warning] as const]
    }),
  )
}

async function renderYears(read: Read, ids: readonly string[]): Promise<Map<string, Json<{ year: string }>>> {
  if (ids.length === 0) return new Map()
  const rows = await loadYears(read.db, [ids])
  return new Map(rows.map(({ id, year }) => [id, toJson({ year })]))
}
