import type { Ctx } from '../../../domain/context.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'

/** The path of the page of a local status. */
const STATUS_PATH = /^\/(?:@\w+|users\/\w+\/statuses)\/(\d+)\/?$/
/** The path of the id of a status. */
const STATUS_ID_PATH = /^(\/ap\/users\/\d+\/statuses\/\d+)\/?$/

const findStatus = statement<{ params: { id: string }; row: { uri: string } }>(
  `select uri from statuses where id = $id and local and not local_only and deleted_at is null`,
)

/**
 * Returns the id of the local status to which a URL leads that a remote user entered, for example that of its page or
 * one with the fragment of a link; null for all other URLs.
 */
export async function findPageStatus(
  { db, config }: Pick<Ctx, 'db' | 'config'>,
  { url: text }: { url: string },
): Promise<string | null> {
  const url = URL.parse(text)
  if (url?.origin !== config.origin) return null
  const [, idPath] = STATUS_ID_PATH.exec(url.pathname) ?? []
  if (idPath !== undefined) return config.origin + idPath
  const [, id] = STATUS_PATH.exec(url.pathname) ?? []
  const [status] = isId(id) ? await findStatus(db, { id }) : []
  return status?.uri ?? null
}
