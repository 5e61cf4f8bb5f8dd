import { type Static, Type } from 'typebox'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminDeliveryHost = Type.Object(
  {
    domain: Type.String(),
    pending: Type.Integer(),
    delivered: Type.Integer({ description: 'In the last day.' }),
    rejected: Type.Integer({ description: 'In the last week.' }),
    abandoned: Type.Integer({ description: 'In the last week.' }),
    consecutive_failures: Type.Integer(),
    failing_days: Type.Integer({ description: 'On how many days deliveries failed, without a success since.' }),
    retry_after: nullable(DateTime, { description: 'Until when deliveries pause after failures.' }),
    unavailable_since: nullable(DateTime, {
      description: 'Since when deliveries are stopped, because they failed on seven days.',
    }),
    last_error: nullable(Type.String(), { description: 'The error of the last attempt; null if it succeeded.' }),
    last_delivered_at: nullable(DateTime),
    last_seen_at: nullable(DateTime, { description: 'When the host last sent a request.' }),
    signature_scheme: oneOf(['cavage', 'rfc9421']),
  },
  { $id: 'AdminDeliveryHost', description: 'The state of deliveries to another server.' },
)
export type AdminDeliveryHost = Static<typeof AdminDeliveryHost>
