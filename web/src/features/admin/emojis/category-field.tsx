import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { Field } from '../shared/form/field.tsx'
import { emojiCategoriesQuery } from './emoji-queries.ts'

const MAX_CATEGORY_CHARACTERS = 100

/** The category of an emoji, which offers those that exist. */
export function CategoryField({
  value,
  error,
  onChange,
}: {
  value: string
  error?: string | undefined
  onChange: (value: string) => void
}) {
  const { data: categories = [] } = useQuery(emojiCategoriesQuery)
  const listId = useId()
  return (
    <Field label={message('web.admin.emojis.category')} hint={message('web.admin.emojis.category-hint')} error={error}>
      {(props) => (
        <>
          <input
            {...props}
            dir="auto"
            autoComplete="off"
            list={listId}
            maxLength={MAX_CATEGORY_CHARACTERS}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={listId}>
            {categories.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
