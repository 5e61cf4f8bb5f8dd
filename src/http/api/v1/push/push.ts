import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import {
  changePushPreferences,
  findSubscription,
  PUSH_POLICIES,
  replaceSubscription,
  removeSubscriptions,
  tokenEncryptionPurpose,
} from '../../../../domain/push/push-subscriptions.ts'
import type { PushSubscription, PushPreferences } from '../../../../domain/push/push-subscriptions.ts'
import { NOTIFICATION_TYPES } from '../../../../entities/notifications/notification.ts'
import { oneOf } from '../../../../entities/schema/one-of.ts'
import { WebPushSubscription } from '../../../../entities/notifications/push.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { ValidationError } from '../../../../lib/errors.ts'
import { FetchRefusedError } from '../../../../platform/fetch/fetch-errors.ts'
import { isSubscriptionPublicKey } from '../../../../platform/push/encrypt-push.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { tokenIdOf, tokenOf } from '../../../support/auth/authorize-routes.ts'

const PushAlerts = Type.Object(
  Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, Type.Optional(Type.Boolean())])),
  { description: 'By notification type. An omitted type is false.' },
)
const PushPolicy = Type.Optional(
  oneOf([...PUSH_POLICIES], {
    description: 'Whose notifications are pushed. Defaults to `all`. Some clients send it beside `data`.',
  }),
)
const PushData = Type.Object({
  alerts: Type.Optional(PushAlerts),
  policy: PushPolicy,
})
const NewSubscription = Type.Object({
  subscription: Type.Object({
    endpoint: Type.String({ description: 'The https URL of a push service on the public internet.' }),
    keys: Type.Object({
      p256dh: Type.String({ description: 'An uncompressed P-256 point in Base64.' }),
      auth: Type.String({ description: '16 bytes in Base64.' }),
    }),
    standard: Type.Optional(
      Type.Boolean({ description: 'Encrypt with RFC 8291 (aes128gcm) instead of its draft (aesgcm).' }),
    ),
  }),
  data: Type.Optional(PushData),
  policy: PushPolicy,
})

/** Mastodon: POST, GET, PUT and DELETE /api/v1/push/subscription. The Web Push subscription of an access token. */
export async function push(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['push']
  const response = { 200: ref(WebPushSubscription) }

  api.post(
    '/subscription',
    { schema: { tags, summary: 'Subscribe to push notifications', body: NewSubscription, response } },
    async (request) => {
      const { subscription } = request.body
      const tokenId = tokenIdOf(request)
      const pushEndpoint = readPushEndpoint(ctx, subscription)
      const encryptedToken = ctx.secrets.encrypt(tokenEncryptionPurpose(tokenId), Buffer.from(tokenOf(request)!))
      const subscriptionInput = {
        ...pushEndpoint,
        ...readPreferences(request.body),
        encryptedToken,
        standard: subscription.standard ?? false,
      }
      return renderSubscription(
        ctx,
        await ctx.write((tx) => replaceSubscription(tx, { tokenId, ...subscriptionInput })),
      )
    },
  )

  api.get(
    '/subscription',
    { schema: { tags, summary: 'View the current push subscription', response } },
    async (request) => renderSubscription(ctx, await findSubscription(ctx, { tokenId: tokenIdOf(request) })),
  )

  api.put(
    '/subscription',
    {
      schema: {
        tags,
        summary: 'Change the types of pushed notifications',
        description: 'Omitted types are no longer pushed.',
        body: Type.Object({ data: Type.Optional(PushData), policy: PushPolicy }),
        response,
      },
    },
    async (request) => {
      const preferences = readPreferences(request.body)
      return renderSubscription(
        ctx,
        await ctx.write((tx) => changePushPreferences(tx, { tokenId: tokenIdOf(request), ...preferences })),
      )
    },
  )

  api.delete(
    '/subscription',
    { schema: { tags, summary: 'Remove the current push subscription', response: { 200: Type.Object({}) } } },
    async (request) => {
      await ctx.write((tx) => removeSubscriptions(tx, { tokenIds: [tokenIdOf(request)] }))
      return {}
    },
  )
}

/** @throws ValidationError for an endpoint that the server may not request and for keys that cannot encrypt */
function readPushEndpoint(
  ctx: Ctx,
  { endpoint, keys }: Static<typeof NewSubscription>['subscription'],
): { endpoint: string; p256dh: Buffer; auth: Buffer } {
  const invalid = (attribute: string, text: string) => ({ attribute, code: 'ERR_INVALID', text })
  const [p256dh, auth] = [decodeBase64(keys.p256dh), decodeBase64(keys.auth)]
  const errors = [
    ...(isAllowedEndpoint(ctx, endpoint) ? [] : [invalid('endpoint', 'is not a public https address')]),
    ...(isSubscriptionPublicKey(p256dh) ? [] : [invalid('key_p256dh', 'is not a public key of P-256')]),
    ...(auth.length === 16 ? [] : [invalid('key_auth', 'is not 16 bytes in Base64')]),
  ]
  if (errors.length > 0) throw new ValidationError(errors)
  return { endpoint, p256dh, auth }
}

function isAllowedEndpoint({ fetcher }: Ctx, endpoint: string): boolean {
  try {
    fetcher.checkUrl(endpoint)
    return true
  } catch (err) {
    if (err instanceof FetchRefusedError) return false
    throw err
  }
}

/** Decodes Base64 in both alphabets, padded or not. Returns an empty buffer for any other text. */
function decodeBase64(text: string): Buffer {
  return /^[\w+/-]{1,200}={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
}

function readPreferences({ data, policy }: Pick<Static<typeof NewSubscription>, 'data' | 'policy'>): PushPreferences {
  return { alerts: (data?.alerts ?? {}) as PushPreferences['alerts'], policy: data?.policy ?? policy ?? 'all' }
}

function renderSubscription(
  ctx: Ctx,
  { id, endpoint, standard, alerts, policy }: PushSubscription,
): Static<typeof WebPushSubscription> {
  return { id, endpoint, standard, alerts, server_key: ctx.secrets.vapidPublicKey, policy }
}
