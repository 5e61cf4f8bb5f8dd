import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import type { IpBlockSeverity } from './find-ip-block.ts'

export interface IpBlockRow {
  id: string
  /** An address range in CIDR notation. */
  ip: string
  severity: IpBlockSeverity
  comment: string
  expires_at: Date | null
  created_at: Date
}

const COLUMNS = 'b.id, b.ip::text as ip, b.severity, b.comment, b.expires_at, b.created_at'
const KEYSET = keysetClause('b.id')

const find = statement<{ params: { id: string }; row: IpBlockRow }>(`select ${COLUMNS} from ip_blocks b where id = $id`)
const listDescending = statement<{ params: PageParameters; row: IpBlockRow }>(
  `select ${COLUMNS} from ip_blocks b where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters; row: IpBlockRow }>(
  `select ${COLUMNS} from ip_blocks b where ${KEYSET.where} ${KEYSET.ascending}`,
)

/** Returns a page of IP blocks, newest first, with expired ones until they are pruned. */
export async function listIpBlocks(read: Read, { page }: { page: Page }): Promise<IpBlockRow[]> {
  const params = pageParameters(page)
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

const listRelated = statement<{ params: { ip: string; covering: boolean }; row: IpBlockRow }>(
  `select ${COLUMNS} from ip_blocks b where b.ip <<= $ip::cidr or ($covering and b.ip >> $ip::cidr) order by b.id`,
)
const listExact = statement<{ params: { ips: readonly string[]; now: Date }; row: IpBlockRow }>(
  `select ${COLUMNS} from ip_blocks b
   where b.ip = any($ips::cidr[]) and (b.expires_at is null or b.expires_at > $now) order by b.id`,
)
const listNoAccess = statement<{ params: { now: Date }; row: { ip: string } }>(
  `select ip::text as ip from ip_blocks where severity = 'no_access' and (expires_at is null or expires_at > $now)
   order by ip`,
)

/** Returns the blocks of an address range (CIDR) and of ranges inside it; with `covering`, also of those around it. */
export async function listRelatedIpBlocks(
  read: Read,
  { ip, covering }: { ip: string; covering: boolean },
): Promise<IpBlockRow[]> {
  return listRelated(read.db, { ip, covering })
}

/** Returns the blocks of exactly these address ranges (CIDR) that have not expired. */
export async function findIpBlocks(
  read: Read,
  { ips, now }: { ips: readonly string[]; now: Date },
): Promise<IpBlockRow[]> {
  return listExact(read.db, { ips, now })
}

/** Returns the address ranges whose requests are all refused, in their order. */
export async function listNoAccessRanges(read: Read, { now }: { now: Date }): Promise<string[]> {
  return (await listNoAccess(read.db, { now })).map((row) => row.ip)
}

/** Returns one IP block. @throws NotFoundError */
export async function getIpBlock(read: Read, { id }: { id: string }): Promise<IpBlockRow> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}
