import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import {
  changeWishes,
  findSubscription,
  PUSH_POLICIES,
  putSubscription,
  removeSubscriptions,
  tokenPurpose,
} from '../../../domain/push/subscriptions.ts'
import type { Subscription, Wishes } from '../../../domain/push/subscriptions.ts'
import { NOTIFICATION_TYPES } from '../../../entities/notification.ts'
import { oneOf } from '../../../entities/one-of.ts'
import { WebPushSubscription } from '../../../entities/push.ts'
import { ref } from '../../../entities/ref.ts'
import { ValidationFailed } from '../../../lib/errors.ts'
import { FetchRefused } from '../../../platform/fetch/refusals.ts'
import { isPushKey } from '../../../platform/push/encrypt.ts'
import type { Api } from '../../api.ts'
import { tokenIdOf, tokenOf } from '../../support/authorise.ts'

const Alerts = Type.Object(
  Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, Type.Optional(Type.Boolean())])),
  { description: 'By type of notification; false where nothing is said.' },
)
const Policy = Type.Optional(
  oneOf([...PUSH_POLICIES], {
    description: 'From whom; `all` where nothing is said. Some programs put it beside `data`.',
  }),
)
const Data = Type.Object({
  alerts: Type.Optional(Alerts),
  policy: Policy,
})
const NewSubscription = Type.Object({
  subscription: Type.Object({
    endpoint: Type.String({ description: 'An https address of a push service that can be reached from everywhere.' }),
    keys: Type.Object({
      p256dh: Type.String({ description: 'Base64 of an uncompressed point of P-256.' }),
      auth: Type.String({ description: 'Base64 of 16 bytes.' }),
    }),
    standard: Type.Optional(
      Type.Boolean({ description: 'Encrypt as RFC 8291 says (aes128gcm), not as its draft did (aesgcm).' }),
    ),
  }),
  data: Type.Optional(Data),
  policy: Policy,
})

/** Where the program that holds a token wants to be told of notifications. */
export async function push(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['push']
  const response = { 200: ref(WebPushSubscription) }

  api.post(
    '/subscription',
    { schema: { tags, summary: 'Have notifications pushed to this token', body: NewSubscription, response } },
    async (request) => {
      const { subscription } = request.body
      const tokenId = tokenIdOf(request)
      const place = readPlace(ctx, subscription)
      const sealedToken = ctx.secrets.encrypt(tokenPurpose(tokenId), Buffer.from(tokenOf(request)!))
      const wanted = { ...place, ...readWishes(request.body), sealedToken, standard: subscription.standard ?? false }
      return present(ctx, await ctx.write((tx) => putSubscription(tx, { tokenId, ...wanted })))
    },
  )

  api.get(
    '/subscription',
    { schema: { tags, summary: 'See what is pushed to this token', response } },
    async (request) => present(ctx, await findSubscription(ctx, { tokenId: tokenIdOf(request) })),
  )

  api.put(
    '/subscription',
    {
      schema: {
        tags,
        summary: 'Change what is pushed to this token',
        description: 'What is not named is not wanted any more.',
        body: Type.Object({ data: Type.Optional(Data), policy: Policy }),
        response,
      },
    },
    async (request) => {
      const wishes = readWishes(request.body)
      return present(ctx, await ctx.write((tx) => changeWishes(tx, { tokenId: tokenIdOf(request), ...wishes })))
    },
  )

  api.delete(
    '/subscription',
    { schema: { tags, summary: 'Have nothing pushed to this token', response: { 200: Type.Object({}) } } },
    async (request) => {
      await ctx.write((tx) => removeSubscriptions(tx, { tokenIds: [tokenIdOf(request)] }))
      return {}
    },
  )
}

/** @throws ValidationFailed for an address that nothing may be sent to, and for keys that nothing can be encrypted with */
function readPlace(
  ctx: Ctx,
  { endpoint, keys }: Static<typeof NewSubscription>['subscription'],
): { endpoint: string; p256dh: Buffer; auth: Buffer } {
  const invalid = (attribute: string, text: string) => ({ attribute, code: 'ERR_INVALID', text })
  const [p256dh, auth] = [readBytes(keys.p256dh), readBytes(keys.auth)]
  const mistakes = [
    ...(mayBeAsked(ctx, endpoint) ? [] : [invalid('endpoint', 'is not a public https address')]),
    ...(isPushKey(p256dh) ? [] : [invalid('key_p256dh', 'is not a public key of P-256')]),
    ...(auth.length === 16 ? [] : [invalid('key_auth', 'is not 16 bytes in Base64')]),
  ]
  if (mistakes.length > 0) throw new ValidationFailed(mistakes)
  return { endpoint, p256dh, auth }
}

function mayBeAsked({ fetcher }: Ctx, endpoint: string): boolean {
  try {
    fetcher.examine(endpoint)
    return true
  } catch (err) {
    if (err instanceof FetchRefused) return false
    throw err
  }
}

/** Both alphabets of Base64, with padding or without; nothing for anything else. */
function readBytes(text: string): Buffer {
  return /^[\w+/-]{1,200}={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
}

function readWishes({ data, policy }: Pick<Static<typeof NewSubscription>, 'data' | 'policy'>): Wishes {
  return { alerts: (data?.alerts ?? {}) as Wishes['alerts'], policy: data?.policy ?? policy ?? 'all' }
}

function present(
  ctx: Ctx,
  { id, endpoint, standard, alerts, policy }: Subscription,
): Static<typeof WebPushSubscription> {
  return { id, endpoint, standard, alerts, server_key: ctx.secrets.vapidPublicKey, policy }
}
