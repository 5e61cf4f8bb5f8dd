import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import type { Moment } from '../../platform/db/changes.ts'
import { askTogether } from '../../platform/db/ask-together.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { readStretches, STRETCH, stretchClause } from '../feeds/page.ts'
import type { Stretch } from '../feeds/page.ts'
import { keepVisible } from '../statuses/keep-visible.ts'
import { choiceValues, isChosen, isShown, isShownBesides } from './shown.ts'
import type { NotificationChoice } from './shown.ts'

/** Each stretch that is read is so many times as long as the one before, up to a length. */
const GROWTH = 4
const MAX_STRETCH = 5_000

/** A notification as it was written. */
export interface NotificationRow {
  id: string
  /** Whose doing it tells of. */
  from_account_id: string
  /** One of `KINDS`, or what a newer version wrote. */
  type: string
  status_id: string | null
  collection_id: string | null
  report_id: string | null
  severance_id: string | null
  warning_id: string | null
  annual_report_id: string | null
  group_key: string | null
  filtered: boolean
  created_at: Date
}

const COLUMNS = `n.id, n.from_account_id, n.type, n.status_id, n.collection_id, n.report_id, n.severance_id,
  n.warning_id, n.annual_report_id, n.group_key, n.filtered`

/** What a page of somebody's notifications is asked with. */
interface Asked extends Stretch {
  account: string
  kinds: readonly string[] | null
  except_kinds: readonly string[]
  from_account: string | null
  with_filtered: boolean
}

const CHOICE = {
  kinds: 'asked.kinds',
  exceptKinds: 'asked.except_kinds',
  fromAccount: 'asked.from_account',
  withFiltered: 'asked.with_filtered',
}

const part = stretchClause('n.id')

// As rows of text: whatever stands in them, the names of kinds and of groups too, needs no quotes.
const readerOf = (order: 'desc' | 'asc') =>
  askTogether<Asked>(
    {
      ...STRETCH,
      account: 'bigint',
      kinds: 'text[]',
      except_kinds: 'text[]',
      from_account: 'bigint',
      with_filtered: 'boolean',
    },
    `array_to_string(array(
       select row(${COLUMNS}, floor(extract(epoch from n.created_at) * 1000)::bigint)::text
       from notifications n
       where ${isShownBesides('n', 'asked.account')} and ${part.where} and ${isChosen('n', CHOICE)} ${part[order]}), ' ')`,
  )
const readers = { desc: readerOf('desc'), asc: readerOf('asc') }

function parseRow(text: string): NotificationRow {
  const [id, from, type, status, collection, report, severance, warning, year, group, filtered, at] = text
    .slice(1, -1)
    .split(',')
  return {
    id: id!,
    from_account_id: from!,
    type: type!,
    status_id: status || null,
    collection_id: collection || null,
    report_id: report || null,
    severance_id: severance || null,
    warning_id: warning || null,
    annual_report_id: year || null,
    group_key: group || null,
    filtered: filtered === 't',
    created_at: new Date(Number(at)),
  }
}

/** A page of somebody's notifications, latest first. `asOf`: when their request looked for changes. */
export async function readNotifications(
  read: Read,
  {
    accountId,
    page,
    asOf,
    ...choice
  }: { accountId: string; page: Page; asOf?: Moment | undefined } & NotificationChoice,
): Promise<NotificationRow[]> {
  const [kinds, exceptKinds, fromAccount, withFiltered] = choiceValues(choice)
  const asked = {
    account: accountId,
    kinds,
    except_kinds: exceptKinds,
    from_account: fromAccount,
    with_filtered: withFiltered,
  }
  return readStretches(page, {
    read: async (stretch, order) => {
      const rows = await readers[order](read.db, { ...stretch, ...asked })
      return rows === '' ? [] : rows.split(' ').map(parseRow)
    },
    idOf: (row) => row.id,
    keep: async (rows) => keepTold(read, { rows, viewerId: accountId, asOf }),
    longer: (rows) => Math.min(rows * GROWTH, MAX_STRETCH),
  })
}

/** Those that tell of nothing that is hidden from the viewer. */
async function keepTold(
  read: Read,
  { rows, ...viewer }: { rows: readonly NotificationRow[]; viewerId: string; asOf: Moment | undefined },
): Promise<NotificationRow[]> {
  const ids = [...new Set(rows.flatMap((row) => row.status_id ?? []))]
  const visible = new Set(await keepVisible(read, { ids, ...viewer }))
  return rows.filter(({ status_id: id }) => id === null || visible.has(id))
}

const findOne = statement<NotificationRow>(
  `select ${COLUMNS}, n.created_at from notifications n where n.id = $2 and ${isShown('n')}`,
)

/** One of somebody's notifications, if it is theirs and may still be shown, be it held back or not. @throws NotFound */
export async function findNotification(
  read: Read,
  { id, accountId }: { id: string; accountId: string },
): Promise<NotificationRow> {
  const [row] = await findOne(read.db, [accountId, id])
  if (!row) throw new NotFound()
  return row
}
