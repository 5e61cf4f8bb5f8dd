import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'

/** The path of the page of a local profile, or of the actor by name. */
const PROFILE_PATH = /^\/(?:@|users\/)(\w+)\/?$/

const findByNames = statement<{ params: { names: readonly string[] }; row: { name: string; uri: string } }>(
  `select lower(username) as name, uri from accounts where lower(username) = any($names) and domain is null`,
)

/**
 * Returns the ids of the local accounts whose profiles have these URLs, by the URL. Other URLs are ignored. Hubzilla
 * names accounts by the URLs of their profile pages.
 */
export async function findProfileOwners(
  { db, config }: Pick<Ctx, 'db' | 'config'>,
  { urls }: { urls: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const text of urls) {
    const url = URL.parse(text)
    const name = url?.origin === config.origin ? PROFILE_PATH.exec(url.pathname)?.[1] : undefined
    if (name !== undefined) names.set(text, name.toLowerCase())
  }
  if (names.size === 0) return new Map()
  const rows = await findByNames(db, { names: [...new Set(names.values())] })
  const uris = new Map(rows.map(({ name, uri }) => [name, uri]))
  return new Map(
    [...names].flatMap(([text, name]) => {
      const uri = uris.get(name)
      return uri === undefined ? [] : [[text, uri] as const]
    }),
  )
}
