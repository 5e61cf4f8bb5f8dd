import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

export const MailState = oneOf(['stored', 'queued', 'failed'], {
  description:
    '`stored`: no job sends it, because no mail server was configured; `queued`: a job will send it, or sends it now; ' +
    '`failed`: no attempts left, or rejected by the mail server.',
})

export const AdminMail = Type.Object(
  {
    id: Id,
    state: MailState,
    recipient: Type.String({ description: 'Masked, except for staff who may manage users.' }),
    subject: Type.String(),
    attempts: Type.Integer({ description: '0 for a stored mail.' }),
    last_error: nullable(Type.String(), { description: 'The first line of the error, without e-mail addresses.' }),
    next_attempt_at: nullable(DateTime),
    created_at: DateTime,
  },
  { $id: 'AdminMail', description: 'A mail that was not sent, without its text.' },
)
export type AdminMail = Static<typeof AdminMail>
