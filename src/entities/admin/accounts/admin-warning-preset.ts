import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminWarningPreset = Type.Object(
  {
    id: Id,
    title: Type.String({ description: 'For the staff. May be empty.' }),
    text: Type.String({ description: 'For the user who is warned.' }),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { $id: 'AdminWarningPreset', description: 'A text that the staff can use for warnings.' },
)
export type AdminWarningPreset = Static<typeof AdminWarningPreset>
