import type { Ctx } from '../../../domain/context.ts'
import { isFollowedLocally } from '../../../domain/access/followed-locally.ts'
import { isFederating } from '../../../domain/domain-blocks/federating-domain.ts'
import { withParents } from '../../../domain/domain-blocks/find-domain-block.ts'
import { isRelayHost } from '../../../domain/relays/subscriptions.ts'
import { createBatch } from '../../../platform/create-batch.ts'
import { statement } from '../../../platform/db/statement.ts'
import { parsePublicKeyCached } from '../../keys/find-public-key.ts'
import type { PublicKey } from '../../keys/find-public-key.ts'
import type { KnownActor } from '../../remote/actors/resolve-actor.ts'
import { IS_MARKED_REACHABLE } from './mark-hosts-reachable.ts'

/** What is stored about the owner of a key, before anything is fetched. */
export interface Sender {
  /** Null if the key is not stored. */
  key: PublicKey | null
  /** The owner of the key; null if no account of it is stored. */
  actor: KnownActor | null
  /** A local account follows the owner or has requested to, or the server subscribes to the owner as a relay. */
  isFollowed: boolean
  /** The host of the key is suspended, or this server does not federate with the domain of the owner's handle. */
  isBlocked: boolean
  /** The host of the key was recently marked as reachable. */
  isMarkedReachable: boolean
}

interface SenderQuery {
  keyId: string
  /** The canonical host of the key. */
  host: string
}

interface Row {
  owner_uri: string | null
  public_key_pem: string | null
  id: string | null
  username: string
  domain: string | null
  suspended_by: KnownActor['suspendedBy']
  is_followed: boolean
  severity: string | null
  is_marked_reachable: boolean
}

// `$domains`: for each key, the host and its parent domains, separated by spaces. A block of any of them applies; of
// several the one of the longest domain.
const find = statement<{
  params: { keyIds: readonly string[]; hosts: readonly string[]; domains: readonly string[]; now: Date }
  row: Row
}>(
  `select k.owner_uri, k.public_key_pem, a.id, a.username, a.domain,
     case when a.suspended_at is null then null when a.suspended_by_origin then 'remote' else 'local' end
       as suspended_by,
     ${isFollowedLocally('a.id')} or ${isRelayHost('query.host')} as is_followed,
     (select b.severity from domain_blocks b where b.domain = any(string_to_array(query.domains, ' '))
       order by length(b.domain) desc limit 1) as severity,
     exists (select from hosts where hosts.domain = query.host and ${IS_MARKED_REACHABLE}) as is_marked_reachable
   from unnest($keyIds::text[], $hosts::text[], $domains::text[]) with ordinality query (key_id, host, domains, ordinal)
     left join actor_keys k on k.key_id = query.key_id and k.private_key is null
     left join accounts a on a.uri = k.owner_uri
   order by query.ordinal`,
)

const findSendersBatched = createBatch(
  async (ctx: Pick<Ctx, 'db' | 'now'>, queries: readonly SenderQuery[]) =>
    find(ctx.db, {
      keyIds: queries.map(({ keyId }) => keyId),
      hosts: queries.map(({ host }) => host),
      domains: queries.map(({ host }) => withParents(host).join(' ')),
      now: ctx.now(),
    }),
  { maxItems: 100 },
)

/** Returns what is stored about the owner of a key. Concurrent calls share one statement. */
export async function findSender(ctx: Ctx, { keyId, host }: SenderQuery): Promise<Sender> {
  const {
    owner_uri: ownerUri,
    public_key_pem: publicKeyPem,
    id,
    username,
    domain,
    suspended_by,
    is_followed: isFollowed,
    severity,
    is_marked_reachable: isMarkedReachable,
  } = await findSendersBatched(ctx, { keyId, host })
  const publicKey = publicKeyPem === null ? null : parsePublicKeyCached(publicKeyPem)
  const key = ownerUri !== null && publicKey ? { keyId, ownerUri, publicKey } : null
  const actor = id === null ? null : { id, username, domain, suspendedBy: suspended_by }
  const isBlocked = severity === 'suspend' || (await isHandleBlocked(ctx, { host, actor }))
  return { key, actor, isFollowed, isBlocked, isMarkedReachable }
}

/** Returns whether the domain of an actor's handle, which may differ from its host, is refused. */
export async function isHandleBlocked(
  ctx: Pick<Ctx, 'db' | 'config'>,
  { host, actor }: { host: string; actor: KnownActor | null },
): Promise<boolean> {
  return actor?.domain != null && actor.domain !== host && !(await isFederating(ctx, { domain: actor.domain }))
}
