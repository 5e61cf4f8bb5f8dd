import type { Ctx } from '../../domain/context.ts'
import { isDomainSuspended, withParents } from '../../domain/moderation/domain-blocks.ts'
import { createBatch } from '../../platform/batch.ts'
import { statement } from '../../platform/db/statement.ts'
import { openPublicKey } from '../public-keys.ts'
import type { PublicKey } from '../public-keys.ts'
import type { KnownActor } from '../remote/actor.ts'

/** What is known, before anybody is asked, of whoever says to have signed. */
export interface Sender {
  /** Null: not known yet. */
  key: PublicKey | null
  /** Whose key it is; null: nobody who is recorded here. */
  actor: KnownActor | null
  /** A local account follows them. */
  isFollowed: boolean
  /** Their server is blocked, or that of their handle. */
  isBlocked: boolean
}

interface Question {
  keyId: string
  /** Of the key, canonical. */
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
}

// `$domains`: the domains that a block of the host may name, the nearest first, with blanks between.
const find = statement<{ params: { keyIds: readonly string[]; asked: readonly string[] }; row: Row }>(
  `select k.owner_uri, k.public_key_pem, a.id, a.username, a.domain,
     case when a.suspended_at is null then null when a.suspended_by_origin then 'origin' else 'us' end as suspended_by,
     exists (select from follows f join accounts l on l.id = f.account_id
       where f.target_account_id = a.id and l.domain is null) as is_followed,
     (select b.severity from domain_blocks b where b.domain = any(string_to_array(asked.domains, ' '))
       order by length(b.domain) desc limit 1) as severity
   from unnest($keyIds::text[], $asked::text[]) with ordinality asked (key_id, domains, place)
     left join actor_keys k on k.key_id = asked.key_id and k.private_key is null
     left join accounts a on a.uri = k.owner_uri
   order by asked.place`,
)

const findMany = createBatch(
  async (db: Ctx['db'], asked: readonly Question[]) =>
    find(db, { keyIds: asked.map(({ keyId }) => keyId), asked: asked.map(({ host }) => withParents(host).join(' ')) }),
  { maxItems: 100 },
)

/** Who has a key, as far as it is known here. */
export async function findSender(ctx: Pick<Ctx, 'db'>, { keyId, host }: Question): Promise<Sender> {
  const {
    owner_uri: ownerUri,
    public_key_pem: pem,
    id,
    username,
    domain,
    suspended_by,
    is_followed: isFollowed,
    severity,
  } = await findMany(ctx.db, { keyId, host })
  const publicKey = pem === null ? null : openPublicKey(pem)
  const key = ownerUri !== null && publicKey ? { keyId, ownerUri, publicKey } : null
  const actor = id === null ? null : { id, username, domain, suspendedBy: suspended_by }
  return { key, actor, isFollowed, isBlocked: severity === 'suspend' || (await isHandleBlocked(ctx, { host, actor })) }
}

/** The domain of a handle may be another one than the host of its actor. */
export async function isHandleBlocked(
  ctx: Pick<Ctx, 'db'>,
  { host, actor }: { host: string; actor: KnownActor | null },
): Promise<boolean> {
  return actor?.domain != null && actor.domain !== host && isDomainSuspended(ctx, { domain: actor.domain })
}
