import { type Static, Type } from 'typebox'
import { QuotePolicy } from './approval.ts'
import { Id } from '../schema/id.ts'
import { MediaAttachment } from './media.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'
import { ref } from '../schema/ref.ts'
import { DateTime } from '../schema/time.ts'

/** Form-encoded requests send booleans as strings. */
const BooleanParameter = Type.Union([Type.Boolean(), Type.String()])

const ScheduledPoll = Type.Object({
  options: Type.Array(Type.String()),
  expires_in: Type.Union([Type.Integer(), Type.String()], { description: 'Seconds.' }),
  multiple: Type.Optional(BooleanParameter),
  hide_totals: Type.Optional(BooleanParameter),
})

const ScheduledParams = Type.Object(
  {
    text: Type.String(),
    media_ids: nullable(Type.Array(Id)),
    sensitive: nullable(BooleanParameter),
    spoiler_text: nullable(Type.String()),
    visibility: nullable(oneOf(['public', 'unlisted', 'private', 'direct'])),
    language: nullable(Type.String()),
    scheduled_at: Type.Null(),
    poll: nullable(ScheduledPoll),
    idempotency: Type.Null(),
    with_rate_limit: Type.Literal(false),
    application_id: nullable(Id),
    in_reply_to_id: nullable(Id),
    quoted_status_id: nullable(Id),
    quote_approval_policy: QuotePolicy,
    allowed_mentions: nullable(Type.Array(Id)),
  },
  { description: 'The parameters as submitted.' },
)

export const ScheduledStatus = Type.Object(
  {
    id: Id,
    scheduled_at: DateTime,
    params: ScheduledParams,
    media_attachments: Type.Array(ref(MediaAttachment)),
  },
  { $id: 'ScheduledStatus' },
)
export type ScheduledStatus = Static<typeof ScheduledStatus>
