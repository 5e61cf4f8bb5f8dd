import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import type { Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { readStretches, stretchReader } from '../feeds/stretches.ts'
import { keepVisible } from '../statuses/keep-visible.ts'
import { choiceValues, isChosen, isShown, isShownBesides } from './shown.ts'
import type { NotificationChoice } from './shown.ts'

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

/** Which page of notifications is asked for. */
interface Asked {
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

// As rows of text: whatever stands in them, the names of kinds and of groups too, needs no quotes.
const reader = stretchReader<Asked>({
  columns: {
    account: 'bigint',
    kinds: 'text[]',
    except_kinds: 'text[]',
    from_account: 'bigint',
    with_filtered: 'boolean',
  },
  table: 'notifications',
  alias: 'n',
  where: 'n.account_id = asked.account',
  id: 'id',
  word: `row(${COLUMNS}, floor(extract(epoch from n.created_at) * 1000)::bigint)`,
  shown: `${isShownBesides('n', 'asked.account')} and ${isChosen('n', CHOICE)}`,
})

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
  return readStretches(read.db, {
    reader,
    asked: {
      account: accountId,
      kinds,
      except_kinds: exceptKinds,
      from_account: fromAccount,
      with_filtered: withFiltered,
    },
    page,
    parse: parseRow,
    idOf: ({ id }) => id,
    keep: async (rows) => keepTold(read, { rows, viewerId: accountId, asOf }),
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
