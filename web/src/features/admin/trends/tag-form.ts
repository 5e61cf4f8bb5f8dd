import type { AdminTag } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import type { ResourceForm } from '../block-lists/resource.ts'

/** The form of a hashtag. The server counts each change as a review. */
export const tagForm = (): ResourceForm<AdminTag> => ({
  path: 'tags',
  fields: () => [
    {
      type: 'line',
      name: 'displayName',
      label: message('web.admin.tags.display-name'),
      hint: message('web.admin.tags.display-name-hint'),
      isRequired: true,
    },
    { type: 'switch', name: 'usable', label: message('web.admin.tags.usable') },
    { type: 'switch', name: 'listable', label: message('web.admin.tags.listable') },
    { type: 'switch', name: 'trendable', label: message('web.admin.tags.trendable') },
  ],
  describe: ({ name }) => ({ name: `#${name}`, details: '', comment: '' }),
  valuesOf: ({ name, usable, listable, trendable }) => ({ displayName: name, usable, listable, trendable }),
})
