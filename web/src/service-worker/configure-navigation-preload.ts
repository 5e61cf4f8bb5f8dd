/** Whether the browser requests documents while it starts the worker. No other engine than Chromium has this property. */
export const preloadsDocuments = (browser: object = navigator): boolean => 'userAgentData' in browser

/**
 * Makes the browser request documents while it starts the worker. Only in Chromium: if that request fails, Firefox shows
 * an error page, whatever the worker responds. An earlier version has turned it on everywhere.
 */
export async function configureNavigationPreload(
  { navigationPreload }: { navigationPreload?: Pick<NavigationPreloadManager, 'enable' | 'disable'> },
  browser: object = navigator,
): Promise<void> {
  await (preloadsDocuments(browser) ? navigationPreload?.enable() : navigationPreload?.disable())
}
