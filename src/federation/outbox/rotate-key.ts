import type { Ctx } from '../../domain/context.ts'
import { lockAccounts } from '../../domain/core/lock-accounts.ts'
import { listRelayInboxes } from '../../domain/relays/subscriptions.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri, keyIdOf } from '../objects/uris.ts'
import { writeKeyUpdate } from '../objects/write/write-activities.ts'
import { writeActor } from '../objects/write/write-actor.ts'
import { encryptPrivateKey, generateActorKeyPair } from '../signatures/keys.ts'
import { findKeyHolders } from './deliver-actor.ts'
import { cancelActorUpdates, sendActivity } from './send-activity.ts'

const find = statement<{ params: { accountId: string; version: number } }>(
  `select from actor_keys where account_id = $accountId and private_key is not null and version = $version`,
)
const replace = statement<{
  params: { accountId: string; version: number; publicKeyPem: string; encryptedPrivateKey: Buffer; now: Date }
  row: { former_key: Buffer; version: number }
  notNull: 'former_key'
}>(
  `with former as (
     select id, private_key from actor_keys
     where account_id = $accountId and private_key is not null and version = $version for update
   )
   update actor_keys k set public_key_pem = $publicKeyPem, private_key = $encryptedPrivateKey, version = k.version + 1,
     fetched_at = $now
   from former where k.id = former.id
   returning former.private_key as former_key, k.version`,
)

/**
 * Effect: replaces the key pair of a local account, if it still has this version, and sends the Update of the actor to
 * its remote followers, recent contacts and followed accounts, and to relays (Mastodon: `tootctl accounts rotate`). The
 * former key signs that Update, so that servers that know only this key accept the new one; the new key signs everything
 * else. The Update replaces pending ones, which contain the former key.
 */
export async function rotateKey(
  ctx: Ctx,
  { accountId, version }: { accountId: string; version: number },
): Promise<void> {
  if ((await find(ctx.db, { accountId, version })).length === 0) return
  const actor = actorUri(ctx.config, accountId)
  const { publicKeyPem, privateKey } = await generateActorKeyPair(ctx.secrets)
  const encryptedPrivateKey = encryptPrivateKey(ctx.secrets, { keyId: keyIdOf(actor), privateKey })
  await ctx.write(async (tx) => {
    await lockAccounts(tx, { ids: [accountId] })
    const [replaced] = await replace(tx.db, { accountId, version, publicKeyPem, encryptedPrivateKey, now: tx.now })
    if (!replaced) return
    const json = await writeActor(tx, { accountId })
    if (!json) return
    await cancelActorUpdates(tx, { accountId, actor })
    await sendActivity(tx, {
      activity: writeKeyUpdate({ actor, json, version: replaced.version }),
      accountId,
      signingKey: replaced.former_key,
      to: {
        followersOf: [accountId],
        accountIds: await findKeyHolders(tx, { accountId }),
        inboxes: await listRelayInboxes(tx),
      },
    })
  })
}
