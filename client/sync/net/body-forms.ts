/** The forms of requests that the start of the app can do without. Loaded with the first push or pull. */
import { deviceReportHeader, formatDeviceReport, type DeviceReport } from '../../../shared/protocol/device-report.ts';
import { BodyCompression } from './compress-body.ts';
import { PagesAhead } from './pages-ahead.ts';
import { PushForms } from './push-forms.ts';

export class BodyForms {
  readonly compression = new BodyCompression();
  readonly pushes = new PushForms();
  readonly pagesAhead = new PagesAhead();

  reportHeader(report: DeviceReport): Record<string, string> {
    return { [deviceReportHeader]: formatDeviceReport(report) };
  }
}
