import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { ViewerCache } from '../../platform/db/viewer-cache.ts'
import type { CachedRead, Read } from '../context.ts'
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

/** A row never changes, except for `filtered`, which is part of its key. */
const cache = new ViewerCache<NotificationRow>({
  maxBytes: 12 * 1024 * 1024,
  valueBytes: 450,
  keyOf: wordOf,
  isInvalidated: (invalidations, { from_account_id: from }, since) =>
    invalidations.isInvalidated('account', from, since),
})

/** Returns a page of an account's notifications, the latest first. */
export async function readNotifications(
  read: CachedRead,
  { accountId, page, ...choice }: { accountId: string; page: Page } & NotificationChoice,
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
    keep: async (words) => findShown(read, { words, viewerId: accountId }),
  })
}

/** Returns the notifications whose account and status are visible to the viewer. */
async function findShown(
  read: CachedRead,
  { words, viewerId }: { words: string[]; viewerId: string },
): Promise<NotificationRow[]> {
  const load = async (missing: string[]) => select(read.db, { viewerId, missing: missing.map(idOf) })
  const found = await cache.find(read.invalidations, { viewerId, keys: words, load })
  const rows = found.filter((row) => row !== undefined)
  const ids = new Set<string>()
  for (const { status_id: id } of rows) if (id !== null) ids.add(id)
  const visible = new Set(await keepVisible(read, { ids: [...ids], viewerId }))
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
