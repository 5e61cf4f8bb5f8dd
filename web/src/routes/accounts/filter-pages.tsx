import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { FilterEditor } from '../../features/filters/filter-editor.tsx'
import { FilterForm } from '../../features/filters/filter-form.tsx'
import { FilterList } from '../../features/filters/filter-list.tsx'
import { useFilterChanges } from '../../features/filters/filter-queries.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'

export function FiltersPage() {
  return (
    <>
      <PageHead title={message('web.settings.page.filters')} back>
        <Link to="/filters/new" className="button button-small">
          <Icon name="plus" />
          {message('web.filters.new')}
        </Link>
      </PageHead>
      <FilterList />
    </>
  )
}

/** A new filter. The URL may have its first keyword, or the id of its first post. */
export function NewFilterPage() {
  const { keyword, status } = useSearch({ from: '/filters/new' })
  const navigate = useNavigate()
  const { createFilter, addStatus } = useFilterChanges()
  return (
    <>
      <PageHead title={message('web.filters.new')} back />
      <FilterForm
        key={keyword}
        {...(keyword === undefined ? {} : { firstKeyword: keyword })}
        onSave={async (settings) => {
          const id = await createFilter(settings)
          if (status !== undefined) await addStatus(id, status)
          showToast({ kind: 'good', text: message('web.filters.saved') })
          await navigate({ to: '/filters', replace: true })
        }}
      />
    </>
  )
}

export function EditFilterPage() {
  const { id } = useParams({ from: '/filters/$id/edit' })
  const navigate = useNavigate()
  return (
    <>
      <PageHead title={message('web.filters.edit')} back />
      <FilterEditor key={id} id={id} onDone={() => void navigate({ to: '/filters', replace: true })} />
    </>
  )
}
