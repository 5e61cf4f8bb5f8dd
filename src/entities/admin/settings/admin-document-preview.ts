import { type Static, Type } from 'typebox'

export const AdminDocumentPreview = Type.Object(
  { content: Type.String({ description: 'HTML.' }) },
  { $id: 'AdminDocumentPreview', description: 'A text in Markdown as HTML. Specific to Linnet.' },
)
export type AdminDocumentPreview = Static<typeof AdminDocumentPreview>
