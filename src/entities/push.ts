import { type Static, Type } from 'typebox'
import { Id } from './id.ts'
import { oneOf } from './one-of.ts'

export const WebPushSubscription = Type.Object(
  {
    id: Id,
    endpoint: Type.String(),
    standard: Type.Boolean({ description: 'Encrypted as in RFC 8291, not as in its draft.' }),
    alerts: Type.Record(Type.String(), Type.Boolean(), { description: 'Keyed by type of notification; those set.' }),
    server_key: Type.String({ description: 'The public VAPID key.' }),
    policy: oneOf(['all', 'followed', 'follower', 'none'], { description: 'From whom.' }),
  },
  { $id: 'WebPushSubscription' },
)
export type WebPushSubscription = Static<typeof WebPushSubscription>
