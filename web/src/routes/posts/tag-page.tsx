import { useParams } from '@tanstack/react-router'
import { message } from '../../lib/i18n/messages.ts'
import { PinButton } from '../../features/columns/pin-button.tsx'
import { TagHead } from '../../features/tags/tag-head.tsx'
import { Timeline } from '../../features/timelines/timeline.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

export function TagPage() {
  const { tag } = useParams({ from: '/tags/$tag' })
  const title = `#${tag}`
  return (
    <>
      <PageHead title={title} back>
        <PinButton />
      </PageHead>
      <TagHead tag={tag} />
      <Timeline
        name={{ type: 'tag', tag }}
        label={title}
        empty={<Notice icon="tag" title={message('web.timeline.empty')} />}
      />
    </>
  )
}
