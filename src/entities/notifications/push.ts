import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { oneOf } from '../schema/one-of.ts'

export const WebPushSubscription = Type.Object(
  {
    id: Id,
    endpoint: Type.String(),
    standard: Type.Boolean({ description: 'Messages use the encryption of RFC 8291 instead of its draft.' }),
    alerts: Type.Record(Type.String(), Type.Boolean(), { description: 'Keyed by notification type.' }),
    server_key: Type.String({ description: 'The public VAPID key.' }),
    policy: oneOf(['all', 'followed', 'follower', 'none'], { description: 'Accounts whose notifications are pushed.' }),
  },
  { $id: 'WebPushSubscription' },
)
export type WebPushSubscription = Static<typeof WebPushSubscription>
