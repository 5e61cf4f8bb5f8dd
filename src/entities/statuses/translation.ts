import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'

export const Translation = Type.Object(
  {
    content: Type.String({ description: 'HTML.' }),
    spoiler_text: Type.String(),
    language: Type.String(),
    detected_source_language: Type.String(),
    provider: Type.String({ description: 'Name of the translation service.' }),
    media_attachments: Type.Array(Type.Object({ id: Id, description: Type.String() })),
    poll: nullable(Type.Object({ id: Id, options: Type.Array(Type.Object({ title: Type.String() })) })),
  },
  { $id: 'Translation' },
)
export type Translation = Static<typeof Translation>
