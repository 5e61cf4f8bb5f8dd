import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

const WebhookEvent = oneOf([
  'account.approved',
  'account.created',
  'account.updated',
  'report.created',
  'report.updated',
  'status.created',
  'status.updated',
])

export const AdminWebhook = Type.Object(
  {
    id: Id,
    url: Type.String(),
    events: Type.Array(WebhookEvent),
    enabled: Type.Boolean(),
    account_id: nullable(Id, {
      description: 'The member of the staff who saved the webhook last. Their role must permit its events.',
    }),
    unpermitted_events: Type.Array(WebhookEvent, {
      description: 'Events that are not sent, because that role does not permit them.',
    }),
    secret: Type.Optional(
      Type.String({
        description: 'Signs the requests. Only in responses to creating a webhook and to rotating its secret.',
      }),
    ),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { $id: 'AdminWebhook', description: 'A webhook, which receives events by HTTP.' },
)
export type AdminWebhook = Static<typeof AdminWebhook>

export const AdminWebhookDelivery = Type.Object(
  {
    id: Id,
    event: Type.String({ description: 'An event of the webhook, or `test`.' }),
    state: oneOf(['pending', 'delivered', 'rejected', 'abandoned'], {
      description:
        '`rejected`: the server responded with an error that is final, or its address is not allowed; `abandoned`: all ' +
        'attempts failed, or the webhook was disabled.',
    }),
    attempts: Type.Integer(),
    last_status: nullable(Type.Integer(), { description: 'The HTTP status of the last response.' }),
    last_error: nullable(Type.String(), { description: 'Why the last attempt got no response.' }),
    created_at: DateTime,
    attempted_at: nullable(DateTime),
    next_attempt_at: nullable(DateTime),
  },
  { $id: 'AdminWebhookDelivery', description: 'The delivery of an event to a webhook.' },
)
export type AdminWebhookDelivery = Static<typeof AdminWebhookDelivery>
