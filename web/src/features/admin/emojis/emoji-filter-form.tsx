import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { message } from '../../../lib/i18n/messages.ts'
import { FilterChoice, FilterForm, FilterText } from '../shared/form/filter-form.tsx'
import { EMOJI_STATES, readEmojiFilters } from './emoji-filters.ts'
import type { EmojiFilters } from './emoji-filters.ts'
import { emojiCategoriesQuery } from './emoji-queries.ts'

/** The filters of the list of custom emojis. */
export function EmojiFilterForm({ filters }: { filters: EmojiFilters }) {
  const navigate = useNavigate()
  const { data: categories = [] } = useQuery(emojiCategoriesQuery)
  const { origin, ...others } = filters
  const show = (search: EmojiFilters) => void navigate({ to: '/admin/custom_emojis', search })
  return (
    <FilterForm
      filters={filters}
      isActive={Object.keys(others).length > 0}
      onApply={(values) => show(readEmojiFilters({ ...values, origin }))}
      onReset={() => show(origin ? { origin } : {})}
    >
      <FilterText name="shortcode" label={message('web.admin.emojis.shortcode-filter')} value={filters.shortcode} />
      {origin === 'remote' ? (
        <FilterText name="byDomain" label={message('web.admin.accounts.byDomain')} value={filters.byDomain} />
      ) : (
        <FilterChoice
          name="category"
          label={message('web.admin.emojis.category')}
          value={filters.category}
          options={categories.map(({ name }) => [name, name])}
        />
      )}
      <FilterChoice
        name="state"
        label={message('web.admin.state')}
        value={filters.state}
        options={EMOJI_STATES.map((state) => [state, message(`web.admin.emojis.state.${state}`)])}
      />
    </FilterForm>
  )
}
