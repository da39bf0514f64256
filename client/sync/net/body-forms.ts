/**
 * Combines the compact forms of requests: compression, brief pushes and packed pages. The transport loads this module
 * with the first request that has a large body or a report, or that asks for effects or packed pages: the start of the
 * app does not need it.
 */
import { deviceReportHeader, formatDeviceReport, type DeviceReport } from '../../../shared/protocol/device-report.ts';
import type { PullResponse } from '../../../shared/protocol/pull.ts';
import { BodyCompression } from './compress-body.ts';
import type { DeviceReporter } from './device-report.ts';
import { PagePrefetcher, type PageKey, type SendPageRequest } from './pages/pages-ahead.ts';
import { PushForms } from './push-forms.ts';

export class BodyForms {
  readonly compression = new BodyCompression();
  readonly pushes = new PushForms();
  readonly #pages = new PagePrefetcher();

  async pull(
    request: SendPageRequest,
    key: PageKey,
    reporter?: Pick<DeviceReporter, 'current'>,
  ): Promise<PullResponse> {
    const response = await this.#pages.fetch(request, key);
    this.pushes.onPulled(response, reporter?.current());
    return response;
  }

  reportHeader(report: DeviceReport): Record<string, string> {
    return { [deviceReportHeader]: formatDeviceReport(report) };
  }
}
