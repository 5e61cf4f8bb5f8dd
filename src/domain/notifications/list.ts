import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { lookForChanges } from '../../platform/db/changes.ts'
import type { Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/statement.ts'
import { KeptByViewer } from '../../platform/db/kept-by-viewer.ts'
import type { Read } from '../context.ts'
import { readStretches, stretchReader } from '../feeds/stretches.ts'
import { keepVisible } from '../statuses/keep-visible.ts'
import { choiceParameters, isChosen, isShown, isShownBesides } from './shown.ts'
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
  /** `YYYY-MM-DDThh:mm:ss.sssZ` */
  created_at: string
}

const COLUMNS = `n.id, n.from_account_id, n.type, n.status_id, n.collection_id, n.report_id, n.severance_id,
  n.warning_id, n.annual_report_id, n.group_key, n.filtered,
  to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at`

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

/** What says of a notification that it is held back, behind its id. */
const FILTERED = 'f'

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
  word: `concat(n.id, case when n.filtered then '${FILTERED}' end)`,
  shown: isChosen('n', CHOICE),
})

const wordOf = ({ id, filtered }: NotificationRow) => (filtered ? id + FILTERED : id)
const idOf = (word: string) => (word.endsWith(FILTERED) ? word.slice(0, -FILTERED.length) : word)

const select = statement<{ params: { viewerId: string; missing: readonly string[] }; row: NotificationRow }>(
  `select ${COLUMNS} from notifications n where n.id = any($missing::bigint[]) and ${isShownBesides('n', '$viewerId')}`,
)

/** Rows are written once, and never changed but for whether they are held back, which their word tells. */
const kept = new KeptByViewer<NotificationRow>({
  maxBytes: 12 * 1024 * 1024,
  answerBytes: 450,
  keyOf: wordOf,
  hasChanged: (changes, { from_account_id: from }, since) => changes.hasChanged('account', from, since),
})

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
  const { kinds, exceptKinds, fromAccountId, withFiltered } = choiceParameters(choice)
  return readStretches(read.db, {
    reader,
    asked: {
      account: accountId,
      kinds,
      except_kinds: exceptKinds,
      from_account: fromAccountId,
      with_filtered: withFiltered,
    },
    page,
    idOf,
    keep: async (words) => keepTold(read, { words, viewerId: accountId, asOf }),
  })
}

/** Those that may be shown, and tell of nothing that is hidden from the viewer. */
async function keepTold(
  read: Read,
  { words, viewerId, asOf }: { words: string[]; viewerId: string; asOf: Moment | undefined },
): Promise<NotificationRow[]> {
  const changes = await lookForChanges(read.db, { asOf })
  const load = async (missing: string[]) => select(read.db, { viewerId, missing: missing.map(idOf) })
  const found = await kept.find(changes, { viewerId, keys: words, load })
  const rows = found.filter((row) => row !== undefined)
  const ids = new Set<string>()
  for (const { status_id: id } of rows) if (id !== null) ids.add(id)
  const visible = new Set(await keepVisible(read, { ids: [...ids], viewerId, asOf: changes.moment }))
  return rows.filter(({ status_id: id }) => id === null || visible.has(id))
}

const findOne = statement<{ params: { accountId: string; id: string }; row: NotificationRow }>(
  `select ${COLUMNS} from notifications n where n.id = $id and ${isShown('n')}`,
)

/** One of somebody's notifications, if it is theirs and may still be shown, be it held back or not. @throws NotFound */
export async function findNotification(
  read: Read,
  { id, accountId }: { id: string; accountId: string },
): Promise<NotificationRow> {
  const [row] = await findOne(read.db, { accountId, id })
  if (!row) throw new NotFound()
  return row
}
