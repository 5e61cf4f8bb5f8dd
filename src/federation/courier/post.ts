import type { Ctx } from '../../domain/context.ts'
import { ensureActorKey } from '../keys.ts'
import { createSigner } from '../signatures/sign.ts'
import type { SignatureSpec } from '../signatures/signature.ts'
import type { Waiting } from './ledger.ts'
import { judgeAnswer, judgeError } from './verdict.ts'
import type { Verdict } from './verdict.ts'

/** For all of a post: a server that takes longer has no room for it. */
const POST_TIMEOUT_MS = 10_000

const CONTENT_TYPE = 'application/activity+json'

interface Post {
  /** Sends one activity to one inbox; never throws. */
  send(delivery: Waiting): Promise<Verdict>
  /** How the host was seen to understand signatures. */
  signsWith(): SignatureSpec
}

/**
 * The way into the inboxes of one host. A host that does not take a signature in one way is asked once more in the other,
 * and the way that it takes is kept.
 */
export function createPost(ctx: Ctx, { signsWith }: { signsWith: SignatureSpec }): Post {
  let known = signsWith

  async function send(delivery: Waiting): Promise<Verdict> {
    const tried = known
    const first = await attempt(delivery, tried)
    if (first.outcome !== 'denied') return first
    const other = tried === 'cavage' ? 'rfc9421' : 'cavage'
    const second = await attempt(delivery, other)
    if (second.outcome === 'denied' || second.status === null) return first
    known = other
    return second
  }

  async function attempt(delivery: Waiting, spec: SignatureSpec): Promise<Verdict> {
    try {
      const key = await ensureActorKey(ctx, { accountId: delivery.account_id })
      const answer = await ctx.fetcher.request({
        method: 'POST',
        url: delivery.inbox_url,
        headers: { 'content-type': CONTENT_TYPE },
        body: delivery.body,
        sign: createSigner({ key, spec, now: ctx.now }),
        maxBytes: 0,
        timeoutMs: POST_TIMEOUT_MS,
      })
      return judgeAnswer(answer, { now: ctx.now() })
    } catch (err) {
      const verdict = judgeError(err)
      if (verdict.outcome === 'unsent')
        ctx.log.error({ err, delivery: delivery.id }, 'delivery request could not be built')
      return verdict
    }
  }

  return { send, signsWith: () => known }
}
