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

/** Returns one IP block. @throws NotFoundError */
export async function getIpBlock(read: Read, { id }: { id: string }): Promise<IpBlockRow> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}
