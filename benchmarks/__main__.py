"""`make bench`: every measured claim, each as a ratio to a baseline named beside it."""

from benchmarks import balance, campaign, eyes, forecast, labels, live, start, survey, tracking

if __name__ == "__main__":
    survey.main()
    print()
    forecast.main()
    print()
    eyes.main()
    print()
    tracking.main()
    print()
    live.main()
    print()
    labels.main()
    print()
    start.main()
    print()
    campaign.main()
    print()
    balance.main()
