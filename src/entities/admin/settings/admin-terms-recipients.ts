import { type Static, Type } from 'typebox'

export const AdminTermsRecipients = Type.Object(
  {
    mails: Type.Integer({ description: 'Users who get a mail.' }),
    reviews: Type.Integer({ description: 'Users who see a page about the terms when they open the web client.' }),
  },
  {
    $id: 'AdminTermsRecipients',
    description: 'How many users would be notified of a version of the terms of service.',
  },
)
export type AdminTermsRecipients = Static<typeof AdminTermsRecipients>
