import { recordRemoteAccount } from '../../src/domain/accounts/remote/record-remote-account.ts'
import type { Ctx } from '../../src/domain/context.ts'
import { statement } from '../../src/platform/db/statement.ts'
import type { PeerActor } from './peer/actor.ts'
import { remoteAccountRecord } from './remote-records.ts'

const insertFollow = statement<{ params: { accountId: string; targetAccountId: string; uri: string } }>(
  `insert into follows (account_id, target_account_id, uri) values ($accountId, $targetAccountId, $uri) on conflict do nothing`,
)

/**
 * Records a remote actor without a request. `follows` is the id of a local account that the actor follows. Returns the
 * id of the actor's account.
 */
export async function recordPeerActor(
  ctx: Ctx,
  actor: PeerActor,
  { follows }: { follows?: string } = {},
): Promise<string> {
  const { document } = actor
  return ctx.write(async (tx) => {
    const record = remoteAccountRecord(actor.username, {
      uri: actor.id,
      url: String(document['url']),
      handle: { username: actor.username, domain: new URL(actor.id).hostname },
      publishedAt: null,
      inboxUrl: actor.inboxUrl,
      sharedInboxUrl: (document['endpoints'] as { sharedInbox?: string } | undefined)?.sharedInbox ?? null,
      followersUrl: actor.followersUrl,
      keys: [{ id: actor.keyId, pem: actor.keys.publicKeyPem }],
    })
    const { accountId } = await recordRemoteAccount(tx, record)
    if (follows !== undefined)
      await insertFollow(tx.db, {
        accountId,
        targetAccountId: follows,
        uri: `${actor.id}/follows/${follows}`,
      })
    return accountId
  })
}
