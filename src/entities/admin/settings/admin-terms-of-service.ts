import { type Static, Type } from 'typebox'
import { nullable } from '../../schema/nullable.ts'
import { DateTime, Day } from '../../schema/time.ts'

export const AdminTermsOfService = Type.Object(
  {
    effective_date: Day,
    effective: Type.Boolean({ description: 'The effective date has come, in UTC.' }),
    text: Type.String({ description: 'Markdown.' }),
    succeeded_by: nullable(Day, { description: 'The effective date of the next version.' }),
    changelog: Type.String({ description: 'Markdown: what has changed, for the mail to users; may be empty.' }),
    published_at: DateTime,
    notification_sent_at: nullable(DateTime, { description: 'When the staff had users notified of it.' }),
  },
  { $id: 'AdminTermsOfService', description: 'A version of the terms of service as the staff see it.' },
)
export type AdminTermsOfService = Static<typeof AdminTermsOfService>
